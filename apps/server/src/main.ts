import { buildPortal } from './build-portal.ts'
import { firstRun, program, run, say, stopOnSignal } from './run.ts'

program(async (settings) => {
  await buildPortal(say)
  const server = await run(settings)
  stopOnSignal(server.stop)
  const first = await firstRun(server, settings)
  say(`Longreach is ready at ${server.site.origin} (MQTT over TLS on port ${server.site.mqttPort})`)
  if (first !== undefined) say(first)
})
