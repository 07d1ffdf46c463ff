"""What is remembered, and who may see it? The database, its gates and its audit."""
