import { ActionIcon, Indicator, Popover, Text } from '@mantine/core'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { IconListCheck } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { JobProgress } from '../../parts/jobs/JobProgress.tsx'
import classes from '../../parts/jobs/jobs.module.css'
import { useJobs, useStartedJobs } from '../../parts/jobs/jobs.ts'
import { useJobName } from '../../parts/jobs/use-job-name.ts'

/** The person's long work in this organization; there is no button where there is none. */
export function JobTray() {
  const t = useWords()
  const jobName = useJobName()
  const jobs = useJobs()
  const started = useStartedJobs()
  const titleId = useId()
  const [pressed, setPressed] = useState(false)
  const [closedAfter, setClosedAfter] = useState(started)
  // A new one opens the list, until the person closes it.
  const opened = pressed || started > closedAfter
  const setOpened = (open: boolean) => {
    setPressed(open)
    setClosedAfter(started)
  }
  const running = jobs.filter(({ state }) => state === 'PROCESSING').length
  if (jobs.length === 0) return null
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={340} trapFocus>
      <Indicator label={running} size={14} disabled={running === 0} offset={5}>
        <Popover.Target>
          <ActionIcon
            size={32}
            onClick={() => setOpened(!opened)}
            aria-label={t('jobs.open', { running })}
            aria-expanded={opened}
          >
            <IconListCheck size={18} stroke={1.6} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-labelledby={titleId}>
        <h2 id={titleId} className={classes.title}>
          {t('jobs.title')}
        </h2>
        <ul className={classes.list}>
          {jobs.slice(0, 20).map((job) => (
            <li key={`${job.service} ${job.id}`}>
              <div className={classes.head}>
                <span>{jobName(job)}</span>
                <Text size="xs" c="dimmed">
                  <RelativeTime at={job.createdAt} />
                </Text>
              </div>
              <JobProgress job={job} />
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
