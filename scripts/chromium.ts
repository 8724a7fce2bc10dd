import { existsSync } from 'node:fs'

const places = [
  // Without the browser's own windows it does a fifth less work.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser that the tests drive: the one named by CHROMIUM, or one that is on the machine. */
export const chromiumPath = () =>
  [process.env['CHROMIUM'] ?? '', ...places].find((place) => place !== '' && existsSync(place))

/** Flags for a browser without a display and, in a container, without its own sandbox. */
export const chromiumFlags = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
