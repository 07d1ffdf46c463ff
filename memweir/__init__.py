"""Local-first long-term memory for AI agents."""
