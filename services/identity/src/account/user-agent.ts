/**
 * Operating system and browser named in a `User-Agent` header, empty when unknown, so that people
 * recognize their own devices.
 */
export function describeAgent(userAgent: string) {
  const find = (known: readonly (readonly [RegExp, string])[]) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? ''
  return { os: find(systems), browser: find(browsers), mobile: /Mobi|Android/.test(userAgent) }
}

const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

// Order matters: each of these browsers also names the ones below it.
const browsers = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
