import type { DeviceLines } from '../../services/platform/src/mqtt/device-lines.ts'
import { mqtt } from '../../services/platform/src/mqtt/part.ts'
import { startLoad } from './load.ts'

// The server as `npm start` runs it, with devices in the same process: their connections are streams in memory
// that its MQTT endpoint takes as it takes those over TLS.
const lines: DeviceLines = {}
mqtt.state = () => lines

const {
  STORM_FILE = '',
  STORM_SOCKET = '',
  STORM_SERVER = '',
  SETUP_ORGANIZATION = '',
} = process.env
startLoad({
  lines,
  file: STORM_FILE,
  socket: STORM_SOCKET,
  server: Number(STORM_SERVER),
  realm: SETUP_ORGANIZATION,
})
await import('@longreach/server/main')
