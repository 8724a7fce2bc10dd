type Suggested = { path: string; type: string; last: { value: unknown } | undefined }

const numeric = new Set(['double', 'integer', 'longinteger'])
/** More lines in a first chart hide each other. */
const mostLines = 3

/** Values of a device for a first chart: numbers that have a value, in the order of the model. */
export const suggestedTags = <T extends Suggested>(tags: readonly T[]): T[] =>
  tags
    .filter(({ type, last }) => numeric.has(type) && typeof last?.value === 'number')
    .slice(0, mostLines)
