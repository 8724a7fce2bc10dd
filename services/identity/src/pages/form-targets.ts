/** Where forms of the login page may lead in the end: browsers check every step of the redirect. */
export const formTargets = (origin: string) => [
  "'self'",
  origin,
  // The realm's organizations may be at names of their own before the installation's host.
  ...(/^https?:\/\/[\d[]/.test(origin) ? [] : [origin.replace('://', '://*.')]),
  'http://localhost',
  'https://localhost',
]
