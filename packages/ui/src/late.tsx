import { lazy } from 'react'

type Bring = <T>(load: () => Promise<T>) => Promise<T>

/** Loader of files that come later; the portal's own waits while its server is away. */
export const files: { bring: Bring } = { bring: (load) => load() }

/** A component whose file comes when it is first shown. */
export const late: typeof lazy = (load) => lazy(() => files.bring(load))
