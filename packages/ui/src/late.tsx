import { lazy } from 'react'

type Bring = <T>(load: () => Promise<T>) => Promise<T>

/** How files that come later are brought; the portal waits for its server where that is away. */
export const files: { bring: Bring } = { bring: (load) => load() }

/** A component whose file comes when it is first shown. */
export const late: typeof lazy = (load) => lazy(() => files.bring(load))
