import type { Logger } from 'pino'
import { modbusSource } from './source-modbus.ts'
import { mqttSource } from './source-mqtt.ts'
import { opcuaSource } from './source-opcua.ts'
import { ethernetIpSource } from './source-ethernetip.ts'
import { hostSource } from './source-host.ts'
import { s7Source } from './source-s7.ts'
import type { SourceSettings } from './source-settings.ts'
import type { Source } from './tags.ts'

/** Source for these settings. A new kind is a file, its settings in `source-settings.ts`, and a case here. */
export function makeSource(
  settings: SourceSettings,
  context: { log: Logger; dataDir: string },
): Source {
  switch (settings.type) {
    case 'modbus':
      return modbusSource(settings, context.log)
    case 'opcua':
      return opcuaSource(settings, context)
    case 'mqtt':
      return mqttSource(settings, context.log)
    case 's7':
      return s7Source(settings, context.log)
    case 'ethernetip':
      return ethernetIpSource(settings, context.log)
    case 'host':
      return hostSource(settings, context.log)
  }
}
