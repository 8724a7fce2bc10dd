import { type DeviceValue, isSameValue, useKeptValues } from './use-kept-values.ts'

/** More are no favourites, and would not fit what a preference may hold. */
const mostFavourites = 60

/** The values that a person marked in this organization. */
export function useFavourites() {
  const { values, keep } = useKeptValues('data-explore.favourites', mostFavourites)
  const has = (value: DeviceValue) => values.some((one) => isSameValue(one, value))
  return {
    favourites: values,
    has,
    toggle: (value: DeviceValue) =>
      keep(
        has(value)
          ? values.filter((one) => !isSameValue(one, value))
          : [...values, value].slice(-mostFavourites),
      ),
  }
}
