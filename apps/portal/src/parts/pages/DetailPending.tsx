import { Page, PendingHeader } from '@longreach/ui/PageHeader'
import { DetailSkeleton, HeadingSkeleton } from '@longreach/ui/Skeletons'
import type { ComponentProps } from 'react'
import { Breadcrumb } from './Breadcrumb.tsx'

type Props = ComponentProps<typeof Breadcrumb> & { shape?: ComponentProps<typeof DetailSkeleton> }

/** The page of one thing while it loads: the way back to its list stands already. */
export function DetailPending({ shape, ...list }: Props) {
  return (
    <Page>
      <PendingHeader title={<HeadingSkeleton />} trail={<Breadcrumb {...list} />} />
      <DetailSkeleton {...shape} />
    </Page>
  )
}
