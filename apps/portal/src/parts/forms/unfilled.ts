import { valueAt } from './draft-places.ts'

/** Faults of a draft: places where nothing is entered yet, and what is entered wrongly. */
export function splitFaults<Fault extends { place: string }>(
  draft: unknown,
  faults: readonly Fault[],
) {
  const isUnfilled = ({ place }: Fault) => place !== '' && isBlank(valueAt(draft, place))
  return {
    unfilled: faults.filter(isUnfilled),
    wrong: faults.filter((fault) => !isUnfilled(fault)),
  }
}

/** True for no value, an empty text, and a list or fields that hold nothing else. */
const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isBlank))
