/** A host name as browsers show it, and the one label that stands before the installation's own host. */
export function hostOf(hostname: string, base: string) {
  const host = hostname.trim().toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  const before = host.endsWith(`.${base}`) ? host.slice(0, -base.length - 1) : undefined
  const label = before !== undefined && /^[a-z0-9-]{1,63}$/.test(before) ? before : undefined
  return { host, label }
}
