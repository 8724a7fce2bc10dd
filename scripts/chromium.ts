import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = [
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

/** Install Chromium where that can be done without asking; otherwise say what to do, and end. */
export function ensureChromium() {
  if (chromiumPath()) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write('Installing Chromium with apt-get for the browser tests …\n')
    for (const args of [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'],
    ]) {
      spawnSync('apt-get', args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    }
    if (chromiumPath()) return
  }
  process.stderr.write(
    'The browser tests need Chromium. Install it (Debian, Ubuntu: "sudo apt install chromium"; Fedora: "sudo dnf install chromium"), or set CHROMIUM to the path of a Chromium or Chrome, and run this again.\n',
  )
  process.exit(1)
}
