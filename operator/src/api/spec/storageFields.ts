import { choice, flag, group, objectName, oneOf, quantity, text, whole } from '../fieldKinds.ts';

const SOURCE = oneOf('What the volume begins with. Left out, it is empty.', {
  volumeSnapshot: group('A copy of a VolumeSnapshot.', { name: objectName('Its name.').required() }),
  pvc: group('A copy of a claim.', { name: objectName('Its name.').required() }),
  existingClaim: group('A claim that is there: it is used, never deleted.', {
    name: objectName('Its name.').required(),
  }),
});

export const STORAGE = group('The volume of the node.', {
  size: quantity(
    'Its size. A volume never shrinks: a smaller size takes back a growth that the storage has refused, and is otherwise said in StorageReady.',
  ).required(),
  storageClassName: objectName('Its StorageClass; the default one when left out.'),
  accessMode: choice('ReadWriteOncePod keeps a second pod away, where the storage driver can.', [
    'ReadWriteOnce',
    'ReadWriteOncePod',
  ]).default('ReadWriteOnce'),
  source: SOURCE,
  takeOwnership: flag(
    'For storage that ignores fsGroup, such as hostPath: before the node a container of root with CHOWN and DAC_OVERRIDE hands the volume to the user of the pod. A namespace with Pod Security "restricted" refuses it.',
  ).default(false),
  autoGrow: group('It grows by itself.', {
    threshold: whole('Percentage of use above which it grows.', { min: 50, max: 95 }).default(80),
    increase: text('By how much: a quantity, or a percentage of its size.', { max: 32, min: 2 })
      .rule(
        "self.matches('^[1-9][0-9]{0,2}%$') || isQuantity(self) && quantity(self).isGreaterThan(quantity('0'))",
        'is neither a quantity above zero nor a percentage such as 20%',
      )
      .default('20%'),
    max: quantity('Size that it never exceeds.').required(),
  }),
});
