import { api } from '../../../parts/api/api.ts'
import { devicesChanged } from '../device-calls.ts'

const everyMs = 1_000
const mostAsks = 3_600

/** Read the lists again while a bulk action goes on, and once more when it has ended. */
export function whenDone(jobId: string, organization: string) {
  const ask = async (asks: number): Promise<void> => {
    const job = await api.mappings.job({ params: { jobId }, query: { organization } })
    if (asks % 5 === 0 || job.state !== 'PROCESSING') await devicesChanged()
    if (job.state !== 'PROCESSING' || asks >= mostAsks) return
    setTimeout(() => void ask(asks + 1).catch(() => undefined), everyMs) // the task list says what is wrong
  }
  void ask(1).catch(() => undefined) // the task list says what is wrong
}
