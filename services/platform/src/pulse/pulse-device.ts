import { pulseDevice, pulseOrganization, pulsePath } from '@longreach/alarms/pulse-contract'
import { type Device, newDevice, type Target } from '../devices/device.ts'

/**
 * Device of the pulse with the target of its only value. Mappings does not know it and it has no certificate, so that
 * it is in no list and nobody can connect as it.
 */
export function createPulseDevice(): { device: Device; target: Target } {
  const device = newDevice(pulseDevice)
  device.label = 'Pulse'
  device.org = pulseOrganization
  const leaf = { path: pulsePath, type: 'integer', mode: 'R', history: true } as const
  const target = { device, leaf }
  device.byPath = new Map([[pulsePath, target]])
  return { device, target }
}
