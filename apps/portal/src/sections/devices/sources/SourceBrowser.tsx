import { EthernetIpTags } from './EthernetIpTags.tsx'
import { ModbusScanner } from './ModbusScanner.tsx'
import { MqttTopics } from './MqttTopics.tsx'
import { OpcuaBrowser } from './OpcuaBrowser.tsx'
import { S7Memory } from './S7Memory.tsx'
import type { BrowserProps } from './browser-props.ts'

const browsers = {
  modbus: ModbusScanner,
  opcua: OpcuaBrowser,
  mqtt: MqttTopics,
  s7: S7Memory,
  ethernetip: EthernetIpTags,
}

/** Looking around in the machine through the gateway, so that tags are picked and not typed. */
export function SourceBrowser(props: BrowserProps) {
  const Browser = browsers[props.draft.type]
  return <Browser {...props} />
}
