internal import Storekeeper
