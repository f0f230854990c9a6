import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** A compiler's FileDescriptorSet as it is committed: of the source information only the comments stay. */
export function packDescriptors(image: Uint8Array): Uint8Array {
  const set = fromBinary(FileDescriptorSetSchema, image);
  for (const file of set.file) keepComments(file);
  return toBinary(FileDescriptorSetSchema, set);
}

function keepComments({ sourceCodeInfo }: FileDescriptorProto): void {
  if (!sourceCodeInfo) return;
  sourceCodeInfo.location = sourceCodeInfo.location.filter(({ leadingComments }) => leadingComments !== '');
  for (const location of sourceCodeInfo.location) {
    location.span = [];
    location.leadingDetachedComments = [];
    location.trailingComments = '';
  }
}
