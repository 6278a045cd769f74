// The signs of suits, and the shapes that go with colours, for people who cannot see the colours. 24 wide and high.

export const SUITS = { C: "♣\ufe0e", S: "♠\ufe0e", H: "♥\ufe0e", D: "♦\ufe0e" }; // as text, never as a coloured picture

// The same shapes as on the printed cards: a drop, a square barrel, a sun, a fir, a round Dubbe.
export const SHAPES = {
  blue: "M12 1c5 6 8 9 8 13a8 8 0 0 1-16 0c0-4 3-7 8-13z",
  brown: "M3 3h18v18h-18z",
  yellow: sun(),
  green: "M12 1l11 20h-22z",
  red: "M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20z",
};

function sun() {
  const points = [...Array(12).keys()].map((i) => {
    const [r, a] = [i % 2 ? 6 : 11.5, (i * Math.PI) / 6];
    return `${(12 + r * Math.sin(a)).toFixed(1)} ${(12 - r * Math.cos(a)).toFixed(1)}`;
  });
  return `M${points.join("L")}z`;
}
