import { Equivocation } from 'cosmjs-types/cosmos/evidence/v1beta1/evidence';
import * as evidence from 'cosmjs-types/cosmos/evidence/v1beta1/query';
import type { Any } from 'cosmjs-types/google/protobuf/any';
import { evidenceRows, readEvidence } from '../../ledger/index.ts';
import { bytesToHex, hexToBytes } from '../../primitives/index.ts';
import { pageOf } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
import { type QueryMethod, queryMethod } from '../queryMethod.ts';

const SERVICE = '/cosmos.evidence.v1beta1.Query';

const packed = (equivocation: Equivocation): Any => ({
  typeUrl: Equivocation.typeUrl,
  value: Equivocation.encode(equivocation).finish(),
});

/** Double signs that were punished. */
export const EVIDENCE_METHODS: readonly QueryMethod[] = [
  queryMethod(
    `${SERVICE}/Evidence`,
    [evidence.QueryEvidenceRequest, evidence.QueryEvidenceResponse],
    ({ hash, evidenceHash }, { state }) => {
      const asked = hash || bytesToHex(evidenceHash);
      if (asked === '') throw queryErrors.invalid('invalid request; hash is empty');
      if (!/^[0-9a-fA-F]{64}$/.test(asked)) {
        throw queryErrors.invalid(`"${asked.slice(0, 100)}" is not the hash of evidence: 64 hex digits`);
      }
      const found = readEvidence(state, hexToBytes(asked));
      if (!found) throw queryErrors.notFound(`evidence ${asked} not found`);
      return { evidence: packed(found) };
    },
  ),
  queryMethod(
    `${SERVICE}/AllEvidence`,
    [evidence.QueryAllEvidenceRequest, evidence.QueryAllEvidenceResponse],
    async (request, scope) => {
      const { items, pagination } = await pageOf(scope, evidenceRows(), request.pagination);
      return { evidence: items.map(packed), pagination };
    },
  ),
];
