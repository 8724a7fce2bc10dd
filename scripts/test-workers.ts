import os from 'node:os'

const cores = os.availableParallelism()
/** Bytes of memory of this machine, or of the container. */
const memory = Math.min(os.totalmem(), process.constrainedMemory() || Infinity)
/** A journey has a server and a browser of its own, which take a gigabyte each. */
const enough = Math.floor(memory / 2 ** 31)

/**
 * Test files that run at once, and pages in the browser beside them: half again as many as cores, because
 * a journey waits for machines, restarts and what is still about a third of the time.
 */
export const testWorkers = Math.max(2, Math.min(8, Math.ceil(cores * 1.5), enough))
