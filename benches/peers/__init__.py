"""eltwise side by side with the engines a user might pick instead; see README.md."""
