"""Cards: found by their outline, named by their enrolled picture, remembered as a heap."""
