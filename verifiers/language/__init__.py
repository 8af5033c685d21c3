"""Language."""
