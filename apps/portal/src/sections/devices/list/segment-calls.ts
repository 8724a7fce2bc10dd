import type { Input, Result } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'

type Mappings = (typeof mappingsContract)['endpoints']
export type Segment = Result<Mappings['segments']>['data'][number]
/** Content of a new segment: a query, or devices. */
export type SegmentContent = Input<Mappings['createSegment']>['body']['content']
