/** `180 → 185.5 °C` */
export const changeText = (from: string, to: string, unit: string | undefined) =>
  [from, '→', to, ...(unit === undefined ? [] : [unit])].join(' ')
