"""What is learned from conversation? What a person says is captured, and consolidated into beliefs."""
