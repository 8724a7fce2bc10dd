/** Value of a cookie, decoded; undefined when it is not there. */
export const readCookie = (name: string) =>
  document.cookie
    .split('; ')
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => decodeURIComponent(pair.slice(name.length + 1)))[0]

/** Keep a cookie for a year, on `domain` and all hosts below it where one is given. */
export const writeCookie = (name: string, value: string, domain?: string) => {
  const scope = domain === undefined ? '' : `; domain=${domain}`
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; samesite=lax${scope}${secure}`
}
