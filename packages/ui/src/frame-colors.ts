/** Colours of the portal's frame, which stands before the theme is there. */
export const frameColors = {
  light: {
    navigation: '#111a2b',
    page: '#f2f4f8',
    panel: '#ffffff',
    line: '#e0e5ec',
    text: '#10151f',
  },
  dark: {
    navigation: '#0a0e15',
    page: '#0c1119',
    panel: '#121822',
    line: '#242d3b',
    text: '#e3e8f0',
  },
} as const
