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

const found = () =>
  [process.env['CHROMIUM'] ?? '', ...places].filter((place) => place !== '' && existsSync(place))

/** The browser that the tests drive: the one named by CHROMIUM, or one that is on the machine. */
export const chromiumPath = () => found()[0]

/** A browser with its own windows: the one without them shows no notifications. */
export const windowedChromiumPath = () => found().find((place) => !place.includes('headless-shell'))

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
