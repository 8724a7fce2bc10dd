/**
 * Origin check: the installation's own origin, or that of an organization's host one label below
 * it.
 */
export function isOwnOrigin(origin: string, site: string) {
  if (origin === site) return true
  const [url, own] = [URL.parse(origin), new URL(site)]
  if (!url || url.origin !== origin || url.protocol !== own.protocol || url.port !== own.port) {
    return false
  }
  return isOrganizationHost(url.hostname, own.hostname)
}

/** Host check: one label before the installation's own host. */
export const isOrganizationHost = (hostname: string, base: string) =>
  hostname.endsWith(`.${base}`) && /^[a-z0-9-]{1,63}$/.test(hostname.slice(0, -base.length - 1))
