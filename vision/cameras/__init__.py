"""Where frames come from: a film, a folder of pictures, a USB camera, a Pi camera."""
