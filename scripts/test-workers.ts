import os from 'node:os'

/** Test files that run at once, and pages in the browser beside them: as many as cores; a journey's server needs a gigabyte. */
export const testWorkers = Math.min(8, Math.max(2, os.availableParallelism()))
