/**
 * Language and name of a file of words. `sections/devices/locales/en.json` holds what is named `devices.…`;
 * `sections/devices/locales/gateway/en.json` what is named `gateway.…` and loads when it is needed.
 */
export function wordsIn(path: string) {
  // Vite writes a path beside the file that asks as `./locales/…`.
  const [, folder = '', name = folder, language] =
    /(?:([\w-]+)|\.)\/locales\/(?:([\w-]+)\/)?(\w\w)\.json$/.exec(path) ?? []
  return language === undefined ? undefined : { language, name }
}
