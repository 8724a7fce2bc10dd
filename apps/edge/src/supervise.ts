import path from 'node:path'
import { pino } from 'pino'
import { commandLine, failSettings } from './command-line.ts'
import { supervise } from './supervisor.ts'

/** Time that another version has to connect; tests set a shorter one. */
const trialMs = Number(process.env['EDGE_TRIAL_S'] ?? 120) * 1_000

async function main() {
  const settings = commandLine()
  if (!settings) return
  const stopping = new AbortController()
  process.on('SIGINT', () => stopping.abort())
  process.on('SIGTERM', () => stopping.abort())
  process.exitCode = await supervise(
    {
      base: path.resolve(import.meta.dirname, '../../..'),
      dataDir: settings.dataDir,
      args: process.argv.slice(2),
      trialMs,
      log: pino({ level: settings.logLevel }),
    },
    stopping.signal,
  )
}

try {
  await main()
} catch (error) {
  failSettings(error)
}
