/** Lists the visible texts of the page with too little contrast (WCAG AA: 4.5 to 1). Runs in the page. */
export function listFaintTexts() {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const paint = (color, below) => {
    context.fillStyle = below;
    context.fillRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return context.getImageData(0, 0, 1, 1).data;
  };
  const computeLuminance = (pixel) => {
    const [red, green, blue] = [...pixel].map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isOpaque = (color) =>
    paint(color, 'black')[3] === 255 && `${paint(color, 'black')}` === `${paint(color, 'white')}`;
  const findBackground = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    return isOpaque(color) || element.parentElement === null ? color : findBackground(element.parentElement);
  };
  const computeContrast = (element) => {
    const background = findBackground(element);
    const [one, other] = [paint(background, 'white'), paint(getComputedStyle(element).color, background)].map(
      computeLuminance,
    );
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const hasText = ({ childNodes }) =>
    [...childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '');
  return (
    [...document.body.querySelectorAll('*')]
      .filter((element) => element.checkVisibility({ opacityProperty: true }))
      .filter((element) => hasText(element) || 'value' in element)
      // These are the dots over a hidden value, texts for screen readers, and an icon.
      .filter((element) => !element.matches('.credential-value, .sr-only, .app-exit-button'))
      .filter((element) => computeContrast(element) < 4.5)
      .map((element) => `${computeContrast(element).toFixed(1)}: ${element.textContent}`)
  );
}
