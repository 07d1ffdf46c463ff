"""Which memories could this be about? Text analysis, vectors and the four paths."""
