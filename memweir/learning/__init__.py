"""What is learned from conversation? Capture of what a person says, and its consolidation into beliefs."""
