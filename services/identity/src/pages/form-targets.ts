/** Addresses that forms of the sign-in page may lead to: browsers check every step of a redirect. */
export const formTargets = (origin: string) => [
  "'self'",
  origin,
  // The realm's organizations may be at names of their own before the installation's host.
  ...(/^https?:\/\/[\d[]/.test(origin) ? [] : [origin.replace('://', '://*.')]),
  'http://localhost',
  'https://localhost',
]
