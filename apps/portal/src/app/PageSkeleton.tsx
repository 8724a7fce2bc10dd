import { Skeleton } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'

/** The outline of a list page, while its code or data is on the way. */
export function PageSkeleton() {
  const t = useWords()
  return (
    <div role="status" aria-label={t('ui.loading')} style={{ display: 'grid', gap: 12 }}>
      <Skeleton height={24} width={180} />
      <Skeleton height={64} />
      <Skeleton height={420} />
    </div>
  )
}
