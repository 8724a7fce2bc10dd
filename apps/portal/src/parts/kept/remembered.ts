/** Keys of what the portal keeps in the browser. */
const prefix = 'longreach.'

type Key =
  | 'scope'
  | 'realm'
  | 'leftFor'
  | 'deepLink'
  | 'castDeviceMessage'
  | 'person'
  | 'openedAnew'
  | 'openedItems'
  | 'heading'

/** Values of this tab, in its session storage. */
export const inTab = {
  get: (key: Key) => sessionStorage.getItem(prefix + key) ?? undefined,
  set: (key: Key, value: string) => sessionStorage.setItem(prefix + key, value),
  drop: (...keys: Key[]) => keys.forEach((key) => sessionStorage.removeItem(prefix + key)),
  /** Read once. */
  take: (key: Key) => {
    const value = sessionStorage.getItem(prefix + key) ?? undefined
    sessionStorage.removeItem(prefix + key)
    return value
  },
}

/** Choices of a person, as JSON in the browser's local storage. */
export const inBrowser = {
  get: <T>(key: string, fallback: T): T => {
    try {
      const text = localStorage.getItem(prefix + key)
      return text === null ? fallback : (JSON.parse(text) as T) // written by `set` alone
    } catch {
      return fallback // another program's text under our key
    }
  },
  set: (key: string, value: unknown) => localStorage.setItem(prefix + key, JSON.stringify(value)),
}
