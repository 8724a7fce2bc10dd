import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { mountRelease } from './agent-release.ts'
import { makeReleaseKey } from './release-key.ts'

export const releases = definePart<PlatformDeps>()({
  name: 'releases',
  mount: async (app, deps) => {
    await makeReleaseKey(deps)
    mountRelease(app)
  },
})
