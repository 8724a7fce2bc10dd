import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { pairing } from '../pairing/part.ts'
import type { DeviceLines } from './device-lines.ts'

export const mqtt = definePart<PlatformDeps>()({
  name: 'mqtt',
  uses: [pairing, devices],
  state: (): DeviceLines => ({}),
})
