import { firstRun, program, run, say, stopOnSignal, reportStarted } from './run.ts'

program(async (settings) => {
  const server = await run(settings)
  stopOnSignal(server.stop)
  const first = await firstRun(server, settings)
  await server.portal
  reportStarted()
  say(`Longreach is ready at ${server.site.origin} (MQTT over TLS on port ${server.site.mqttPort})`)
  if (first !== undefined) say(first)
})
