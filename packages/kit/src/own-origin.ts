/** Is it the installation's origin, or that of one label before its host? Both are served by it alone. */
export function isOwnOrigin(origin: string, site: string) {
  if (origin === site) return true
  const [url, own] = [URL.parse(origin), new URL(site)]
  if (!url || url.origin !== origin || url.protocol !== own.protocol || url.port !== own.port) {
    return false
  }
  return isOrganizationHost(url.hostname, own.hostname)
}

/** One label before the installation's own host, where an organization may be. */
export const isOrganizationHost = (hostname: string, base: string) =>
  hostname.endsWith(`.${base}`) && /^[a-z0-9-]{1,63}$/.test(hostname.slice(0, -base.length - 1))
