/** Values of `form-action` for the sign-in pages: browsers check every redirect that follows a form. */
export const formTargets = (origin: string) => [
  "'self'",
  origin,
  // Organizations of the realm may have host names of their own below the installation’s host.
  ...(/^https?:\/\/[\d[]/.test(origin) ? [] : [origin.replace('://', '://*.')]),
  'http://localhost',
  'https://localhost',
]
