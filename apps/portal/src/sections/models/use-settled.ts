import { useDebouncedValue } from '@mantine/hooks'

const restMs = 400

/** The value once it has rested: what is asked of the server while somebody types. */
export function useSettled<T>(value: T): T {
  const [settled] = useDebouncedValue(value, restMs)
  return settled
}
