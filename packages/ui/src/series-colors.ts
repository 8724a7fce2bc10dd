/** The eight colours of series, in order; they never follow the organization's colour. */
export const chartColors = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `var(--chart-${number})`)
