import { useWords } from '@longreach/ui/use-words'
import { Button, SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import classes from './log.module.css'
import { isAuditAddress, logKinds } from './whole-log-url.ts'

const kinds = ['all', 'audit', ...logKinds] as const
const none = {
  line: undefined,
  actor: undefined,
  resource: undefined,
  action: undefined,
  outcome: undefined,
  target: undefined,
  ip: undefined,
  preferences: undefined,
}

/** Kinds of lines; text, time and organizations stay when another one is chosen. */
export function LogTabs() {
  const t = useWords()
  const [search, change] = useSearch()
  const kind = isAuditAddress(search) ? 'audit' : (one(search['kind']) ?? 'all')
  const choose = (value: string) =>
    void change({
      ...none,
      kind: value === 'all' ? undefined : value,
      // The audit trail has filters of its own.
      ...(value === 'audit' && { person: undefined, device: undefined }),
    })
  return (
    <div className={classes.kinds}>
      <SegmentedControl
        className={classes.kindChoice}
        aria-label={t('whole-log.kind')}
        value={kinds.find((one) => one === kind) ?? 'all'}
        data={kinds.map((value) => ({ value, label: t(`whole-log.kind.${value}`) }))}
        onChange={choose}
      />
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/log/failed-notifications" {...props} />}
      >
        {t('whole-log.failed')}
      </Button>
    </div>
  )
}
