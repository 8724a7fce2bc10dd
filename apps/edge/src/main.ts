import { pino } from 'pino'
import { startAgent } from './agent.ts'
import { commandLine, failSettings } from './command-line.ts'
import { supervisionOf } from './supervision.ts'

function main() {
  const settings = commandLine()
  if (!settings) return
  const log = pino({ level: settings.logLevel })
  log.info({ endpoint: settings.endpoint, dataDir: settings.dataDir }, 'the agent starts')
  const agent = startAgent(settings, log, supervisionOf())
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    log.info('the agent stops')
    void agent.stop().then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // The supervisor is gone: whoever starts the next one would have two agents for one device.
  process.on('disconnect', stop)
}

try {
  main()
} catch (error) {
  failSettings(error)
}
