import { openTelemetry, type TelemetryStore } from '@longreach/telemetry/store'
import type { PlatformDeps } from '../deps.ts'

/** Store of values, opened at the first use; a failed opening is tried again by the next use. */
export type OpenTelemetry = () => Promise<TelemetryStore>

export function createTelemetry({ pool, log }: Pick<PlatformDeps, 'pool' | 'log'>) {
  let opening: Promise<TelemetryStore> | undefined
  const open: OpenTelemetry = () => {
    opening ??= openTelemetry({ pool, log }).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    open,
    async close() {
      if (opening) await (await opening).close()
    },
  }
}
