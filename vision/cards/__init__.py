"""Cards in stills: found by their outline or their print, named by their enrolled picture."""
